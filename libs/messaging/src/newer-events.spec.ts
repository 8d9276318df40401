import { expect, it } from '@jest/globals';
import { UnsupportedEvent, NotNow } from './broker.ts';
import { NewerEvents } from './newer-events.ts';

const minute = 60_000;

it('holds the events of a second update again in a process in which the first update failed', () => {
  let now = 1_000_000;
  const newer = new NewerEvents(
    () => false,
    undefined,
    () => now,
  );
  const check = () => newer.check('unknown');
  expect(check).toThrow(NotNow);
  now += 30 * minute;
  expect(check).toThrow(UnsupportedEvent);
  // Events of the first update are still there.
  now += 60 * minute - 1;
  expect(check).toThrow(UnsupportedEvent);
  now += 60 * minute;
  expect(check).toThrow(NotNow);
  now += 5 * minute;
  expect(check).toThrow(UnsupportedEvent);
});

it('passes events of known types, holds others for five minutes, and then has them set aside', () => {
  let now = 1_000_000;
  const newer = new NewerEvents(
    (type) => type === 'known',
    undefined,
    () => now,
  );
  const check = (type: string) => () => newer.check(type);
  expect(check('known')).not.toThrow();
  // The time begins with the first unknown event.
  now += 10 * minute;
  expect(check('unknown')).toThrow(NotNow);
  now += 5 * minute - 1;
  expect(check('unknown')).toThrow(NotNow);
  expect(check('other')).toThrow(NotNow);
  expect(check('known')).not.toThrow();
  now += 1;
  expect(check('unknown')).toThrow(UnsupportedEvent);
  expect(check('other')).toThrow(UnsupportedEvent);
  expect(check('known')).not.toThrow();
});
