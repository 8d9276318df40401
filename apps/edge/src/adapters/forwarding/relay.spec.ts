import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CONTINUE_AT_HEADER } from '@parlance/http';
import type { Dispatcher } from 'undici';
import { Relay } from './relay.ts';
import { setLastEvent } from './stream-farewell.ts';

/** Longer than several looks at an answer. */
const LONG = 10_000;

/** A client's answer of which the test decides what it does. */
function client({ isFull = false } = {}) {
  const written: string[] = [];
  const res = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableFinished: false,
    writableNeedDrain: isFull,
    writeHead: () => res,
    flushHeaders: () => undefined,
    write: (chunk: Buffer) => (written.push(chunk.toString()), !isFull),
    end: () => undefined,
    destroy: () => undefined,
  });
  return { res: res as unknown as ServerResponse, written };
}

function controller() {
  const [abort, pause, resume] = [jest.fn(), jest.fn(), jest.fn()];
  return { abort, pause, resume, controller: { abort, pause, resume } as unknown as Dispatcher.DispatchController };
}

/** An answer that has begun, whose replica gives these signs of life, one after the other, and none after them. */
function begun(res: ServerResponse, signs: readonly boolean[], headers: Record<string, string> = {}) {
  const [left, onBroken, { abort, pause, controller: its }] = [[...signs], jest.fn(), controller()];
  const life = { isMissing: false, isThere: async () => left.shift() ?? false };
  const relay = new Relay(res, life as never, onBroken, null);
  relay.onRequestStart(its);
  relay.onResponseStart(its, 200, headers);
  return { relay, abort, pause, onBroken, controller: its };
}

describe('an answer that has begun', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is not given up with its attempt', () => {
    const { relay, abort } = begun(client().res, []);
    relay.giveUp();
    expect(abort).not.toHaveBeenCalled();
  });
  it('is not broken off for one missing sign of life', async () => {
    const { abort } = begun(client().res, [false, true, false, true, false, true, ...Array.from({ length: 20 }, () => true)]);
    await jest.advanceTimersByTimeAsync(LONG);
    expect(abort).not.toHaveBeenCalled();
  });
  it('is not broken off while its client reads nothing', async () => {
    const { abort } = begun(client({ isFull: true }).res, []);
    await jest.advanceTimersByTimeAsync(LONG);
    expect(abort).not.toHaveBeenCalled();
  });
  it('is broken off for two missing signs of life in a row', async () => {
    const { abort } = begun(client().res, [true, false, false]);
    await jest.advanceTimersByTimeAsync(LONG);
    expect(abort).toHaveBeenCalled();
  });
  it('is read no faster than its client reads', () => {
    const { relay, pause, controller: its } = begun(client({ isFull: true }).res, []);
    relay.onResponseData(its, Buffer.from('text'));
    expect(pause).toHaveBeenCalledTimes(1);
  });
  it.each([
    ['data: {"text":"So"}\n\n', ['data: {"text":"So"}\n\n', '\n\ndata: {"error":"lost"}\n\n']],
    ['data: {"text":"So"}\r\n\r\n', ['data: {"text":"So"}\r\n\r\n', '\n\ndata: {"error":"lost"}\n\n']],
    // Clients would read half an event as a whole one.
    ['data: {"text":', ['data: {"text":']],
  ])('ends with an error if its service is lost after %j, for clients that do not resume it', (chunk, expected) => {
    const { res, written } = client();
    Object.assign(res, { _header: 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n' });
    setLastEvent(res, () => 'data: {"error":"lost"}');
    const { relay, controller: its } = begun(res, []);
    relay.begun.catch(() => undefined);
    relay.onResponseData(its, Buffer.from(chunk));
    relay.onResponseError(its, new Error('other side closed'));
    expect(written).toEqual(expected);
  });
  it('breaks off if its service is lost and its client resumes it', () => {
    const { res, written } = client();
    Object.assign(res, { _header: 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n' });
    const destroyed = jest.spyOn(res, 'destroy');
    const { relay, controller: its } = begun(res, []);
    relay.begun.catch(() => undefined);
    relay.onResponseError(its, new Error('other side closed'));
    expect([written, destroyed.mock.calls.length]).toEqual([[], 1]);
  });
  it('leaves no listeners at its client when another replica continues it', () => {
    const { res } = client();
    const { relay, onBroken, controller: its } = begun(res, [], { [CONTINUE_AT_HEADER]: '/stream' });
    relay.onResponseEnd(its, {});
    expect(onBroken).toHaveBeenCalledTimes(1);
    expect(res.eventNames()).toEqual([]);
  });
});

describe('a stream that another replica should continue', () => {
  it.each([404, 503])('is broken off if that replica answers with %s, so that its client asks again', (status) => {
    const { res, written } = client();
    const first = begun(res, [], { [CONTINUE_AT_HEADER]: '/stream' });
    const [stream] = (first.relay.onResponseEnd(first.controller, {}), first.onBroken.mock.calls[0] as [never]);
    const { abort, controller: its } = controller();
    const next = new Relay(res, null, () => undefined, null, stream);
    next.onRequestStart(its);
    next.onResponseStart(its, status, {});
    expect(abort).toHaveBeenCalledTimes(1);
    expect(written).toEqual([]);
  });
});
