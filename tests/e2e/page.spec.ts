// In: the built site. Out: the page starts.
import { expect, test } from '@playwright/test';

test('the page starts its wasm', async ({ page }) => {
  await page.goto('');
  await expect(page.locator('html')).toHaveAttribute('data-ready', 'yes');
});
