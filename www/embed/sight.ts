// In: elements. Out: calls when they come into sight, near it, or change their size. One observer of each kind serves all.

type Then<T> = (value: T) => void;

function watcher(margin: string) {
  const calls = new WeakMap<Element, Then<boolean>>();
  let observer: IntersectionObserver | undefined;
  /** Without `then`, watches no more. */
  return (element: Element, then?: Then<boolean>): void => {
    observer ??= new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) calls.get(target)?.(isIntersecting);
    }, { rootMargin: margin });
    if (then) {
      calls.set(element, then);
      observer.observe(element);
    } else {
      calls.delete(element);
      observer.unobserve(element);
    }
  };
}

export const inSight = watcher('0px');
/** Half a window away: the time it takes to scroll there is used to load. */
export const nearSight = watcher('50%');

const sizes = new WeakMap<Element, () => void>();
let observer: ResizeObserver | undefined;

export function sized(element: Element, then?: () => void): void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) sizes.get(target)?.();
  });
  if (then) {
    sizes.set(element, then);
    observer.observe(element);
  } else {
    sizes.delete(element);
    observer.unobserve(element);
  }
}
