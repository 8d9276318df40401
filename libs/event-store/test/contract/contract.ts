import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { appending } from './appending.ts';
import { following } from './following.ts';
import { joining } from './joining.ts';
import { once } from './once.ts';
import { remembering } from './remembering.ts';
import type { ContractCase, MakeSubject, Subject } from './subject.ts';

export type { ContractCase, Joined, MakeSubject, Subject } from './subject.ts';

/** The cases that every event store must pass. They are plain functions, so that a spec can also check which case a broken store fails. */
export const eventStoreCases: readonly ContractCase[] = [...appending, ...once, ...joining, ...following, ...remembering];

/** Runs the cases as tests, each on a new log. */
export function eventStoreContract(name: string, make: MakeSubject): void {
  describe(`${name} as an event store`, () => {
    let subject: Subject;
    beforeEach(async () => {
      subject = await make();
    });
    afterEach(() => subject.end());
    for (const { name: sentence, run } of eventStoreCases) it(sentence, () => run(subject));
  });
}
