import type { CloudEvent } from '../broker.ts';
import { unpack } from './packed.ts';

export interface Partition {
  readonly id: number;
  readonly topic: string;
  readonly number: number;
}

/** An event in a partition. It is parsed when it is first needed, and once for all groups that share this object. */
export class Entry {
  readonly bytes: number;
  #event: CloudEvent | undefined;

  constructor(
    readonly partition: Partition,
    readonly offset: number,
    readonly key: string,
    readonly text: string,
    /** Set on a redriven dead letter. */
    readonly letter?: number,
  ) {
    this.bytes = Buffer.byteLength(text);
  }

  get event(): CloudEvent {
    return (this.#event ??= unpack(this.text, this.partition.topic, this.key));
  }
}
