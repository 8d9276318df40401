import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CallsWorld, errorOf } from '../calls-world.ts';
import { beginEvents } from '../mock-provider.ts';
import { assembled, chunk, guarding } from './guarding.ts';

export function guardedAnswers(start: () => CallsWorld): void {
  describe('a call of a model whose answer is under policies', () => {
    let world: CallsWorld;
    beforeEach(() => void (world = start()));
    const { under, sent, answersWith, streams, listed } = guarding(start);

    it('has the values again in its answer, also in the arguments of tools', async () => {
      under({}, { id: 'keys', detectors: ['words'], words: ['say "so"'] });
      answersWith({
        role: 'assistant',
        content: 'Mail [EMAIL_1] and [EMAIL_7].',
        tool_calls: [{ id: '[EMAIL_1]', type: 'function', function: { name: 'f', arguments: '{"to":"[EMAIL_1]","text":"[WORD_1]"}' } }],
      });
      const body = { model: 'gpt', messages: [{ role: 'user', content: 'I am jo@example.com, say "so".' }] };
      const { choices } = JSON.parse((await world.chat(world.caller().headers, body)).text);
      expect(choices[0].message.content).toBe('Mail jo@example.com and [EMAIL_7].');
      const [call] = choices[0].message.tool_calls;
      expect([call.id, JSON.parse(call.function.arguments)]).toEqual(['[EMAIL_1]', { to: 'jo@example.com', text: 'say "so"' }]);
    });

    it('has the values again in its stream, however it is divided', async () => {
      under({});
      const words = (text: string) => Array.from(text.matchAll(/.{1,3}/gs), ([part]) => part);
      streams(
        chunk({ role: 'assistant', content: '' }),
        ...words('Is it [EMAIL_1]?').map((reasoning_content) => chunk({ reasoning_content })),
        ...words('Yes: [EMAIL_1], not [EMAIL').map((content) => chunk({ content })),
        ...words('{"to":"[EMAIL_1]"}').map((part) => chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
        ...words('{"to":"[EMAIL_2]"}').map((part) => chunk({ tool_calls: [{ index: 1, function: { arguments: part } }] })),
        chunk({}, 'tool_calls'),
      );
      const body = { model: 'gpt', stream: true, messages: [{ role: 'user', content: 'I am jo@example.com' }] };
      const { text } = await world.chat(world.caller().headers, body);
      expect(assembled(text)).toEqual({
        content: 'Yes: jo@example.com, not [EMAIL',
        reasoning: 'Is it jo@example.com?',
        arguments: ['{"to":"jo@example.com"}', '{"to":"[EMAIL_2]"}'],
        finish: ['tool_calls'],
        error: null,
      });
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    });

    it('has placeholders for values of the answer that a policy masks, which stay, and no tokens of the text', async () => {
      under({ stage: 'output', detectors: ['email', 'phone'] });
      const who = world.caller();
      const tool = { function: { name: 'f', arguments: '{"to":"jo@example.com","phone":+4915112345678}' } };
      answersWith(
        { content: 'Ask jo@example.com.', reasoning_content: 'It is jo@example.com', tool_calls: [tool] },
        { logprobs: { content: [{ token: 'jo@example.com' }] } },
      );
      const { text } = await world.chat(who.headers);
      const { choices } = JSON.parse(text);
      expect(choices).toEqual([
        {
          index: 0,
          message: {
            content: 'Ask [EMAIL_1].',
            reasoning_content: 'It is [EMAIL_1]',
            tool_calls: [{ function: { name: 'f', arguments: '{"to":"[EMAIL_1]","phone":"[PHONE_1]"}' } }],
          },
          logprobs: null,
        },
      ]);
      const found = [
        { detector: 'email', count: 3 },
        { detector: 'phone', count: 1 },
      ];
      expect(await listed(who)).toMatchObject([{ status: 'completed', policies: [{ id: 'pii', stage: 'output', action: 'mask', found }] }]);
      streams(chunk({ content: 'Ask jo@exa' }), {
        ...chunk({ content: 'mple.com' }),
        choices: [{ index: 0, delta: { content: 'mple.com' }, logprobs: {}, finish_reason: 'stop' }],
      });
      const stream = await world.chat(who.headers, { model: 'gpt', stream: true, messages: [] });
      expect(assembled(stream.text)).toMatchObject({ content: 'Ask [EMAIL_1]', finish: ['stop'] });
      expect(stream.text).toContain('"logprobs":null');
    });

    it('is refused and charged if a policy blocks its answer', async () => {
      under({ id: 'no-mail', stage: 'output', action: 'block' });
      const who = world.caller();
      answersWith({ content: 'Ask jo@example.com.' });
      const answer = await world.chat(who.headers);
      expect(errorOf(answer)).toEqual([400, 'guardrail_blocked']);
      expect(answer.text).not.toContain('jo@');
      expect(answer.headers).toMatchObject({ 'x-parlance-model': 'gpt', 'x-parlance-cost': '0.000014' });
      const again = await world.chat({ ...who.headers, 'x-stainless-retry-count': '1' });
      expect([errorOf(again), again.headers['x-should-retry']]).toEqual([[400, 'guardrail_blocked'], 'false']);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'blocked', cost_nano_dollars: 14_000 }]);
    });

    it('ends its stream with an error before a value that a policy blocks', async () => {
      under({ id: 'no-mail', stage: 'output', action: 'block' });
      const who = world.caller();
      streams(chunk({ content: 'Ask jo@' }), chunk({ content: 'example.com. More' }), chunk({ content: ' secrets' }), chunk({}, 'stop'));
      const { text, trailers } = await world.chat(who.headers, { model: 'gpt', stream: true, messages: [] });
      expect(assembled(text)).toMatchObject({ content: 'Ask ', finish: [], error: { code: 'guardrail_blocked' } });
      expect(text).not.toMatch(/secrets|DONE/);
      const [record] = await world.recordOf(who);
      expect(record).toMatchObject({ status: 'blocked' });
      expect(trailers['x-parlance-cost']).toBe(String((record?.cost_nano_dollars ?? 0) / 1e9));
    });

    it('is unchanged by a policy that flags, which is listed', async () => {
      under({ action: 'flag' }, { id: 'answers', stage: 'output', action: 'flag' });
      const who = world.caller();
      streams(chunk({ content: 'eva@example.com' }), chunk({}, 'stop'));
      const body = JSON.stringify({ model: 'gpt', stream: true, messages: [{ content: 'jo@example.com' }] });
      const { text } = await world.chat(who.headers, body);
      expect(sent()).toContain('jo@example.com');
      expect(assembled(text)).toMatchObject({ content: 'eva@example.com', finish: ['stop'] });
      const found = [{ detector: 'email', count: 1 }];
      expect(await listed(who)).toMatchObject([
        {
          policies: [
            { id: 'pii', stage: 'input', action: 'flag', found },
            { id: 'answers', stage: 'output', action: 'flag', found },
          ],
        },
      ]);
    });

    it('is guarded with the offline model', async () => {
      under({ id: 'no-model', stage: 'output', action: 'block', detectors: ['words'], words: ['offline model'] });
      for (const stream of [false, true]) {
        const answer = await world.chat(world.caller().headers, {
          model: 'local-extractive',
          stream,
          messages: [{ role: 'user', content: 'Hi?' }],
        });
        expect(errorOf(answer)).toEqual([400, 'guardrail_blocked']);
      }
    });

    it('is broken off if its answer cannot be checked', async () => {
      under({ stage: 'output' });
      const who = world.caller();
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end('data: {"choices":[{"delta":{"content":"jo@example.com"}\n\ndata: [DONE]\n\n');
      };
      await expect(world.chat(who.headers, { model: 'gpt', stream: true, messages: [] })).rejects.toThrow();
      world.provider.respond = (res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[');
      expect(errorOf(await world.chat(who.headers))).toEqual([503, 'recorded_not_visible']);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'broken' }, { status: 'broken' }]);
    });
  });
}
