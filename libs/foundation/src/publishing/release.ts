import { VERSION } from '../wiring/common.module.ts';

/** The version as a number: 0.3.1 is 3001. Releases that run side by side compare these numbers. */
export function releaseOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return (major * 1_000 + minor) * 1_000 + patch;
}

export const RELEASE = releaseOf(VERSION);
