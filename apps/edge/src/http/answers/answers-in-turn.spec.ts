import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { answerInTurn } from './answers-in-turn.ts';

describe('requests that arrive in one turn of the event loop', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('are answered in several turns, with clients in rotation, except those whose clients disconnect', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const server = new EventEmitter();
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const answered: { client: string; turn: number }[] = [];
    server.on('request', ({ headers }: IncomingMessage) => {
      now += 1;
      answered.push({ client: headers.authorization!, turn });
    });
    answerInTurn(server as Server);
    const arrive = (client: string) => {
      const res = Object.assign(new EventEmitter(), { destroyed: false });
      server.emit('request', { headers: { authorization: client }, socket: {} } as IncomingMessage, res as unknown as ServerResponse);
      return res;
    };
    await new Promise(setImmediate);
    for (let request = 0; request < 12; request++) arrive('eve');
    const gone = arrive('ann');
    arrive('ben');
    gone.destroyed = true;
    while (answered.length < 13) await new Promise(setImmediate);
    clearImmediate(next);
    const perTurn = Map.groupBy(answered, (each) => each.turn);
    expect(Math.max(...[...perTurn.values()].map(({ length }) => length))).toBe(4);
    expect(answered.slice(4, 7).map(({ client }) => client)).toContain('ben');
    expect(answered.map(({ client }) => client)).not.toContain('ann');
  });
});
