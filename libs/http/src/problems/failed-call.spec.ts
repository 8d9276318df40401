import { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { FailedCall } from './failed-call.ts';
import { problem } from './problem.filter.ts';

describe('the path of a failed call', () => {
  it.each([
    ['/bot/7?secret=1', '/bot/7'],
    ['/shared/the-token?limit=1', '/shared/…'],
    ['/shared/the-token/files/0.0.0', '/shared/…/files/0.0.0'],
  ])('has no secret of %s', (url, path) => expect(new FailedCall('inference', 'GET', url, null).path).toBe(path));
});

describe('a failed call that caused a refusal', () => {
  it('is logged with all its causes, which the caller does not see', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const answer = new ServerResponse({ method: 'GET' } as never);
    const end = jest.spyOn(answer, 'end');
    const refusal = refuse('unavailable', 'service_unavailable', 'The service bots does not answer.');
    refusal.cause = new FailedCall(
      'bots',
      'GET',
      '/bot/7?secret=1',
      new AggregateError([new Error('10.0.0.7 refused'), new Error('late')]),
    );
    problem(answer, refusal, 'r1');
    const details = { target: 'bots', method: 'GET', path: '/bot/7', cause: 'Error: 10.0.0.7 refused; Error: late' };
    expect(warn.mock.calls).toEqual([['A call to the service bots failed.', details]]);
    expect(end.mock.calls[0]![0]).not.toMatch(/10\.0\.0\.7|secret/);
    warn.mockRestore();
  });
});
