import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CallsWorld, errorOf } from '../calls-world.ts';
import { json } from '../mock-provider.ts';
import { guarding } from './guarding.ts';

export function guardedRequests(start: () => CallsWorld): void {
  describe('a call of a model whose request is under policies', () => {
    let world: CallsWorld;
    beforeEach(() => void (world = start()));
    const { under, sent, listed } = guarding(start);

    it('has placeholders for the values of all texts of its request, and the same bytes otherwise', async () => {
      under({});
      const who = world.caller();
      const body = (email: string, other: string) =>
        `{ "seed": 12345678901234567890, "temperature":1.0,\t"user":"${email}", "model": "gpt",
        "messages":[{"role":"system","content":"Ask ${email}"},{"role":"user","name":"jo","content":[{"type":"text","text":"I am ${other}"},
        {"type":"image_url","image_url":{"url":"https://example.org/jo@example.com.png"}}]},
        {"role":"assistant","tool_calls":[{"id":"a@example.com","type":"function","function":{"name":"f","arguments":"{\\"to\\":\\"${email}\\"}"}}]},
        {"role":"tool","tool_call_id":"1","content":"Sent to ${other}"}],
        "tools":[{"type":"function","function":{"name":"f","description":"as ${email}","parameters":{"type":"object","properties":{"type":{"enum":["${other}"]}}}}}],
        "some_new_field":{"deep":["${email}"]}, "metadata":{"type":"${email}"} }`;
      const answer = await world.chat(who.headers, body('jo@example.com', 'eva@example.com'));
      expect(answer.status).toBe(200);
      expect(sent()).toBe(body('[EMAIL_1]', '[EMAIL_2]').replace('"model": "gpt"', '"model": "gpt-upstream"'));
      expect(await world.recordOf(who)).toMatchObject([{ status: 'completed' }]);
    });

    it('finds values that the request has written with escapes', async () => {
      under({}, { id: 'words', action: 'block', detectors: ['words'], words: ['Orléans'] });
      await world.chat(world.caller().headers, '{"model":"gpt","messages":[{"content":"jo\\u0040example.com"}]}');
      expect(sent()).toContain('"[EMAIL_1]"');
      expect(errorOf(await world.chat(world.caller().headers, '{"model":"gpt","x":[{"y":"Orle\\u0301ans"}]}'))).toEqual([
        400,
        'guardrail_blocked',
      ]);
    });

    it('finds values that arguments of tools have written with escapes', async () => {
      under({ id: 'words', action: 'block', detectors: ['words'], words: ['Project Aurora'] }, {});
      const withArguments = (given: string) => ({
        model: 'gpt',
        messages: [{ role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: given } }] }],
      });
      const blocked = await world.chat(world.caller().headers, withArguments('{"a":"Project\\u0020\\u0041urora"}'));
      expect(errorOf(blocked)).toEqual([400, 'guardrail_blocked']);
      await world.chat(world.caller().headers, withArguments('{"to":"jo\\u0040example.com","a":"\\\\u0041\\u0022\\ud83d\\u000a"}'));
      const { messages } = JSON.parse(sent()) as ReturnType<typeof withArguments>;
      const { arguments: masked } = messages[0]!.tool_calls[0]!.function;
      expect(JSON.parse(masked)).toEqual({ to: '[EMAIL_1]', a: '\\u0041"\ud83d\n' });
    });

    it('is refused without a call to the provider if a policy blocks its request, also a result of a tool', async () => {
      under({ id: 'no-mail', action: 'block' });
      const who = world.caller();
      const answer = await world.chat(who.headers, { model: 'gpt', messages: [{ role: 'tool', content: 'jo@example.com' }] });
      expect(errorOf(answer)).toEqual([400, 'guardrail_blocked']);
      expect(JSON.parse(answer.text).error.message).toBe(
        'The policy no-mail does not allow this request, because it contains an e-mail address.',
      );
      expect(answer.headers['x-parlance-cost']).toBe('0');
      const theirs = await world.ask('/v1/messages', who.headers, {
        model: 'claude',
        max_tokens: 9,
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'jo@example.com' }] }] },
        ],
      });
      expect([theirs.status, JSON.parse(theirs.text)]).toMatchObject([
        400,
        { type: 'error', error: { type: 'invalid_request_error', code: 'guardrail_blocked' } },
      ]);
      expect(world.provider.requests).toEqual([]);
      const blocked = { status: 'blocked', cost_nano_dollars: 0 };
      expect(await world.recordOf(who)).toMatchObject([blocked, blocked]);
      const policies = [{ id: 'no-mail', stage: 'input', action: 'block', found: [{ detector: 'email', count: 1 }] }];
      expect(await listed(who)).toMatchObject([{ policies }, { policies }]);
    });

    it('may be for embeddings, of texts that are checked', async () => {
      under({});
      const embed = (input: unknown) => world.ask('/v1/embeddings', world.caller().headers, { model: 'vectors', input });
      world.provider.respond = (res) => json(res, 200, { data: [{ embedding: [1] }], usage: { prompt_tokens: 8 } });
      expect((await embed(['jo@example.com', 'eva@example.com'])).status).toBe(200);
      expect(JSON.parse(sent()).input).toEqual(['[EMAIL_1]', '[EMAIL_2]']);
      expect(errorOf(await embed([[1, 2, 3]]))).toEqual([400, 'unsupported_parameter']);
      under({ action: 'flag' });
      expect((await embed([1, 2, 3])).status).toBe(200);
    });
  });
}
