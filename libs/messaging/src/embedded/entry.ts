import type { CloudEvent } from '../broker.ts';

/** An offset is the position of a commit times this, plus the index of the event in the commit. No commit is large enough to have more events. */
const EVENTS_OF_A_COMMIT = 2 ** 16;

/** The number of partitions of every topic. It must never change, because keys would move to other partitions. */
export const PARTITIONS = 8;

export const offsetOf = (position: number, index = 0): number => position * EVENTS_OF_A_COMMIT + index;
export const positionOf = (offset: number): number => Math.floor(offset / EVENTS_OF_A_COMMIT);

/** A partition of a topic in the log of one source. */
export interface Line {
  readonly source: string;
  readonly topic: string;
  readonly partition: number;
}

export const nameOf = (topic: string, partition: number): string => `${topic}/${partition}`;

/** A public event with its position. */
export interface Entry {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly event: CloudEvent;
  readonly bytes: number;
  /** Set on a redriven dead letter. */
  readonly letter?: number;
}

/** The approximate size of an envelope without its data. */
const ENVELOPE_BYTES = 400;
export const bytesOf = ({ data }: CloudEvent): number => ENVELOPE_BYTES + (JSON.stringify(data)?.length ?? 0);

/** FNV-1a over the key's code units. It must distribute keys evenly, and must never change. */
export function partitionOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193) >>> 0;
  // The low bits of FNV are its weakest.
  return ((hash >>> 16) ^ (hash & 0xffff)) % PARTITIONS;
}
