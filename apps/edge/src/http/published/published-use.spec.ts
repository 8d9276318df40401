import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { Admitted } from './api-limits.ts';
import { PublishedUse } from './published-use.ts';
import { RecentRequest } from './recent-requests.ts';

function used(more: Partial<ServerResponse> = {}) {
  const ended: unknown[] = [];
  const res = Object.assign(new EventEmitter(), { destroyed: false, headersSent: false, statusCode: 200, ...more });
  const admitted = {
    ended: (status: number, mayBeUse: boolean) => {
      ended.push([status, mayBeUse]);
      return mayBeUse && status !== 400;
    },
  } as unknown as Admitted;
  return { ended, res, use: new PublishedUse(res as unknown as ServerResponse, admitted) };
}

describe('the use of a published bot', () => {
  it('ends at once if the client left before', () => expect(used({ destroyed: true }).ended).toEqual([[499, false]]));
  it('ends with the status that was sent when the answer is over', () => {
    const { ended, res, use } = used({ headersSent: true, statusCode: 404 });
    use.hasReachedService = true;
    expect(ended).toEqual([]);
    res.emit('close');
    expect(ended).toEqual([[404, true]]);
  });
  it('counts once for a request and its repeats, whichever ends first', () => {
    const question = new RecentRequest({ keyId: 'k', fingerprint: 'f', attempt: 0 }, 'id');
    const [refused, first, second] = [400, 200, 503].map((statusCode) => used({ headersSent: true, statusCode }));
    for (const { use } of [refused!, first!, second!]) [use.hasReachedService, use.question] = [true, question];
    for (const { res } of [refused!, second!, first!]) res.emit('close');
    expect([refused!.ended, second!.ended, first!.ended]).toEqual([[[400, true]], [[503, true]], [[200, false]]]);
  });
  it('counts as answered when the client leaves while the service works', () => {
    const { ended, res, use } = used();
    use.hasReachedService = true;
    res.emit('close');
    expect(ended).toEqual([[200, true]]);
  });
});
