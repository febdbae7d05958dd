// In: a model's clips and what the page asks for. Out: which clip moves which part.
import type { RigClip } from './api';

export function clipNames(clips: readonly RigClip[]): string[] {
  return clips.map(({ name }) => name);
}

/** As (part, clip); an empty part moves all that have the clip. */
export function defaultClips(clips: readonly RigClip[], asked: { clip: string; legs: string; torso: string }): [part: string, clip: string][] {
  const named = (name: string) => clips.find((clip) => clip.name === name) ?? clips.find((clip) => clip.name.toLowerCase() === name.toLowerCase());
  if (asked.clip === 'none') return [];
  const parts = [...new Set(clips.map(({ part }) => part ?? ''))].filter(Boolean);
  const whole = asked.clip ? named(asked.clip) : undefined;
  if (parts.length < 2) {
    const clip = whole ?? clips.find(({ name, frames }) => /idle/i.test(name) && frames > 1) ?? clips.find(({ frames }) => frames > 1) ?? clips[0];
    return clip ? [['', clip.name]] : [];
  }
  // A player: each part has a clip of its own, unless one clip moves both.
  if (whole?.name.startsWith('BOTH_')) return [['', whole.name]];
  return parts.flatMap((part): [string, string][] => {
    const own = clips.filter((clip) => clip.part === part && !clip.name.startsWith('BOTH_'));
    const word = { lower: asked.legs, upper: asked.torso }[part];
    const chosen = (word ? named(word) : undefined) ?? (whole?.part === part ? whole : undefined) ?? own.find(({ name }) => /_(IDLE|STAND)$/.test(name)) ?? own[0];
    return chosen ? [[part, chosen.name]] : [];
  });
}
