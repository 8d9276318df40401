import { deepStrictEqual, fail } from 'node:assert/strict';
import { type Decider, fold, Refusal } from './index.ts';

/** Assertions for specs: `given(created, revoked).when({ type: 'Revoke', now }).refuses('key_unknown')`. */
export function specify<Command, Event, State>(decider: Decider<Command, Event, State>) {
  return (...history: Event[]) => ({
    when: (command: Command) => {
      const decision = decider.decide(command, fold(decider, history));
      return {
        emits(...expected: Event[]) {
          if (decision instanceof Refusal) fail(`expected events, was refused: ${decision.kind} ${decision.code}`);
          deepStrictEqual(decision, expected);
        },
        refuses(code: string) {
          if (!(decision instanceof Refusal)) fail(`expected the refusal ${code}, got ${JSON.stringify(decision)}`);
          deepStrictEqual(decision.code, code);
        },
      };
    },
  });
}
