import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { Guardrails } from '@parlance/guardrails';
import { MAX_CHAIN_RESPONSES } from '../../../src/domain/responses/response-limits.ts';
import { StoredResponses } from '../../../src/workflows/calls/stored/stored-responses.ts';
import { TextGuardrails } from '../../../src/workflows/guardrails/text-guardrails.ts';
import { type CallsWorld, errorOf } from '../calls-world.ts';
import { beginEvents, json } from '../mock-provider.ts';
import { ofAnthropic } from '../translated/streams.ts';
import { answer, type Item, responsesOf } from './response-answers.ts';

export function continuedResponses(start: () => CallsWorld): void {
  describe('a response that continues a stored one', () => {
    let world: CallsWorld;
    let its: ReturnType<typeof responsesOf>;
    beforeEach(() => {
      world = start();
      its = responsesOf(world);
      world.forgetTargets();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, answer('Bern.'));
    });
    afterEach(() => void jest.restoreAllMocks());

    it('cannot be continued once a response before it was deleted', async () => {
      const [user, headers] = [newId(), {} as Record<string, string>];
      Object.assign(headers, its.headersOf(user));
      const first = await its.stored(headers);
      const second = await its.stored(headers, { previous_response_id: first });
      await its.clientOf(user).responses.delete(first);
      expect(errorOf(await its.respond(headers, { previous_response_id: second }))).toEqual([404, 'previous_response_not_found']);
      expect(await its.statusOf(headers, second)).toBe(200);
    });

    it('can be continued by several responses at the same time', async () => {
      const headers = its.headersOf(newId());
      const first = await its.stored(headers);
      const ids = await Promise.all(['a', 'b', 'c'].map((input) => its.stored(headers, { input, previous_response_id: first })));
      const last = await its.stored(headers, { input: 'd', previous_response_id: ids[1] });
      expect(JSON.stringify(its.sent().input).match(/"text":"(Hi|.)"/g)).toEqual(['Hi', 'b', 'd'].map((text) => `"text":"${text}"`));
      expect(await its.statusOf(headers, last)).toBe(200);
    });

    it('is refused for a model that its token does not allow, before earlier responses are read', async () => {
      const user = newId();
      const first = await its.stored(its.headersOf(user));
      const read = jest.spyOn(world.service.part(StoredResponses), 'chainAfter');
      const refused = await its.respond(its.headersOf(user, { models: ['claude'] }), { previous_response_id: first });
      expect([errorOf(refused), read.mock.calls]).toEqual([[404, 'model_not_found'], []]);
    });

    it('ends a chain that has become too long', async () => {
      const [user, all] = [newId(), world.service.part(StoredResponses)];
      const ids = Array.from({ length: MAX_CHAIN_RESPONSES + 1 }, () => newId());
      const content = JSON.stringify({ input: [{ role: 'user', content: 'x' }], response: answer('y') });
      for (const [index, id] of ids.entries())
        await all.store(id, user, index === 0 ? { ids: [], bytes: 0 } : await all.chainAfter(`resp_${ids[index - 1]}`, user), content);
      const headers = its.headersOf(user);
      expect((await its.respond(headers, { previous_response_id: `resp_${ids.at(-2)}`, store: false })).status).toBe(200);
      expect(its.sent().input.length).toBe(2 * MAX_CHAIN_RESPONSES + 1);
      world.provider.requests.length = 0;
      const refused = await its.respond(headers, { previous_response_id: `resp_${ids.at(-1)}` });
      expect([errorOf(refused), world.provider.requests]).toEqual([[400, 'response_chain_too_long'], []]);
    });

    it('is charged and limited by all items that the model receives', async () => {
      const who = { tokenId: newId() };
      const headers = world.service.asModelsToken(who.tokenId, newId());
      const id = await its.stored(headers, { input: 'word '.repeat(2_000) });
      world.provider.respond = (res) => void res.destroy();
      await its.respond(headers, { previous_response_id: id, max_output_tokens: 1 });
      const [, second] = await world.recordOf(who);
      expect(second).toMatchObject({ status: 'unsettled', usage: { output_tokens: 1 } });
      expect(second!.usage.input_tokens).toBeGreaterThan(2_000);
    });

    it('is checked by policies with the items that it continues, and is stored without placeholders', async () => {
      const policies = new Guardrails([{ id: 'pii', apply_to: ['gateway'], stage: 'input', action: 'mask', detectors: ['email'] }]);
      jest.spyOn(world.service.part(TextGuardrails), 'of').mockImplementation((surface, stage) => policies.of(surface, stage));
      world.provider.respond = (res, { body }) => json(res, 200, answer(/\[[^\]"\\]*\d+\]|<[^>]*>/.exec(body)?.[0] ?? 'nothing'));
      const headers = its.headersOf(newId());
      const id = await its.stored(headers, { input: 'I am ann@example.org.' });
      expect(world.provider.requests[0]!.body).not.toContain('ann@example.org');
      expect((await world.ask(`/v1/responses/${id}`, headers)).text).toContain('ann@example.org');
      await its.stored(headers, { previous_response_id: id });
      expect(world.provider.requests[1]!.body).not.toContain('ann@example.org');
    });

    it('keeps encrypted reasoning for the next response, and leaves out other reasoning', async () => {
      const reasoning = [
        { id: 'rs_1', type: 'reasoning', summary: [] },
        { id: 'rs_2', type: 'reasoning', summary: [], encrypted_content: 'abc' },
      ];
      world.provider.respond = (res) => json(res, 200, answer('Bern.', ...reasoning));
      const headers = its.headersOf(newId());
      await its.stored(headers, { previous_response_id: await its.stored(headers) });
      const input = its.sent().input;
      expect(input.map(({ type, id }) => [type, id])).toEqual([
        ['message', undefined],
        ['reasoning', 'rs_2'],
        ['message', undefined],
        ['message', undefined],
      ]);
    });

    it.each([false, true])('continues a response of another provider and of the offline model (stream: %s)', async (stream) => {
      const headers = its.headersOf(newId());
      world.provider.respond = (res) => (beginEvents(res), res.end(ofAnthropic));
      const ask = async (body: object) => {
        const { status, text } = await its.respond(headers, { stream, ...body });
        expect([status, text]).toEqual([200, expect.stringMatching(stream ? /event: response.completed/ : /"status":"completed"/)]);
        const [, id = ''] = /"id":"(resp_[^"]+)"/.exec(text)!;
        expect(await its.statusOf(headers, id)).toBe(200);
        return id;
      };
      const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }];
      const first = await ask({ model: 'claude', input: 'Is it warm?', tools });
      const results = ['toolu_0', 'toolu_1'].map((call_id) => ({ type: 'function_call_output', call_id, output: 'warm' }));
      const second = await ask({ model: 'claude', input: results, tools, previous_response_id: first });
      expect((JSON.parse(world.provider.requests.at(-1)!.body) as { messages: Item[] }).messages.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'user',
      ]);
      const third = await ask({ model: 'local-extractive', input: 'And now?', previous_response_id: second });
      const found = JSON.parse((await world.ask(`/v1/responses/${third}`, headers)).text);
      expect(found).toMatchObject({ id: third, previous_response_id: second, store: true });
    });
  });
}
