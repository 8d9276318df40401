import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ShownResponse } from './shown-response.ts';

const FIELDS = { id: '"resp_own"', store: 'true' };
const response = { id: 'resp_of_provider', object: 'response', store: false, output: [] };
const shown = { ...response, id: 'resp_own', store: true };
const lines = (named: boolean, ...events: readonly { readonly type: string }[]) =>
  events.map((event) => `${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');
const of = (its: object) => [
  { type: 'response.created', response: its },
  { type: 'response.output_text.delta', delta: 'data: {"type":"response.completed","response":{"id":"x"}}' },
  { type: 'response.completed', response: its },
];

describe('a stream of a response', () => {
  it.each([true, false])('has the own ID in each event with the response, however it is divided (names: %s)', (named) =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(12), { maxLength: 6 }), async (ends) => {
        const all = lines(named, ...of(response)).split(/(?<=\n)/);
        const filter = new ShownResponse(FIELDS, null);
        const parts: Buffer[] = [];
        let from = 0;
        for (const end of [...ends.toSorted((a, b) => a - b), all.length]) {
          parts.push(await filter.pass(Buffer.from(all.slice(from, end).join(''))));
          from = Math.max(from, end);
        }
        expect(Buffer.concat(parts).toString()).toBe(lines(named, ...of(shown)));
        expect(JSON.parse(filter.response!.toString())).toEqual(shown);
      }),
    ),
  );
  it('has no whole response before its last event', async () => {
    const filter = new ShownResponse(FIELDS, null);
    await filter.pass(Buffer.from(lines(true, ...of(response).slice(0, 2))));
    expect(filter.response).toBeNull();
  });
});
