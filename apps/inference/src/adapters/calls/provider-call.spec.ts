import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type AnswerBody, SilenceLimit } from './provider-call.ts';

describe('the limit of silence of an answer', () => {
  let clock: jest.SpiedFunction<typeof performance.now>;
  let now = 0;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    now = 0;
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    clock.mockRestore();
    jest.useRealTimers();
  });

  const limited = (millis: number) => {
    const answer = new PassThrough().on('error', () => undefined) as unknown as AnswerBody;
    return { answer, silence: new SilenceLimit(answer, millis) };
  };
  /** Looks at the answer, `late` milliseconds after it should. */
  const look = (late = 0) => {
    now += 1_000 + late;
    jest.advanceTimersByTime(1_000);
  };

  it('ends it after that time without a byte', () => {
    const { answer, silence } = limited(2_000);
    look();
    look();
    silence.restart();
    look();
    look();
    expect(answer.destroyed).toBe(false);
    look();
    expect(answer.destroyed).toBe(true);
  });

  it('does not count the time in which this process was too busy to read', () => {
    const { answer } = limited(2_000);
    look(30_000);
    look(30_000);
    expect(answer.destroyed).toBe(false);
    look();
    expect(answer.destroyed).toBe(true);
  });

  it('does not count the time in which the caller does not read', () => {
    const { answer, silence } = limited(1_000);
    silence.stop();
    for (let looks = 0; looks < 5; looks++) look();
    expect(answer.destroyed).toBe(false);
  });
});
