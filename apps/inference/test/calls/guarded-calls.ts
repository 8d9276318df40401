import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Guardrails, type Policy } from '@parlance/guardrails';
import { TextGuardrails } from '../../src/workflows/guardrails/text-guardrails.ts';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const policy = (its: Partial<Policy>): Policy => ({
  id: 'pii',
  apply_to: ['gateway'],
  stage: 'input',
  action: 'mask',
  detectors: ['email'],
  ...its,
});
const chunk = (delta: object, finish_reason: string | null = null, index = 0) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index, delta, finish_reason }],
});
const named = (event: { type: string; [field: string]: unknown }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

interface Delta {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly index: number; readonly function?: { readonly arguments?: string } }[];
}

/** What an OpenAI client makes of a stream: the text, the arguments of each tool, and the order of what ends. */
function assembled(stream: string) {
  const read = { content: '', reasoning: '', arguments: [] as string[], finish: [] as string[], error: null as unknown };
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const event = JSON.parse(line.slice(6)) as {
      choices?: { delta: Delta; finish_reason: string | null }[];
      error?: unknown;
    };
    if (event.error) read.error = event.error;
    for (const { delta, finish_reason } of event.choices ?? []) {
      expect(read.finish).toEqual([]);
      read.content += delta.content ?? '';
      read.reasoning += delta.reasoning_content ?? '';
      for (const { index, function: its } of delta.tool_calls ?? [])
        read.arguments[index] = (read.arguments[index] ?? '') + (its?.arguments ?? '');
      if (finish_reason) read.finish.push(finish_reason);
    }
  }
  return read;
}

export function guardedCalls(start: () => CallsWorld): void {
  describe('a call of a model under policies', () => {
    let world: CallsWorld;
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, { choices: [], usage });
    });
    afterEach(() => void jest.restoreAllMocks());

    const under = (...policies: readonly Partial<Policy>[]) => {
      const guardrails = new Guardrails(policies.map(policy));
      jest.spyOn(world.service.part(TextGuardrails), 'of').mockImplementation((surface, stage) => guardrails.of(surface, stage));
    };
    const sent = () => world.provider.requests[0]?.body ?? '';
    const answersWith = (message: object, more: object = {}) => {
      world.provider.respond = (res) => json(res, 200, { id: 'x', choices: [{ index: 0, message, ...more }], usage });
    };
    const streams = (...each: readonly object[]) => {
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(`${events(...each, { ...chunk({}), choices: [], usage })}data: [DONE]\n\n`);
      };
    };
    const listed = async ({ headers, tokenId }: ReturnType<CallsWorld['caller']>) => {
      const { text } = await world.ask(`/user/me/calls?token=${tokenId}`, headers);
      return (JSON.parse(text) as { calls: { status: string; policies: unknown }[] }).calls;
    };

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

    it('is refused and charged if a policy blocks its answer', async () => {
      under({ id: 'no-mail', stage: 'output', action: 'block' });
      const who = world.caller();
      answersWith({ content: 'Ask jo@example.com.' });
      const answer = await world.chat(who.headers);
      expect(errorOf(answer)).toEqual([400, 'guardrail_blocked']);
      expect(answer.text).not.toContain('jo@');
      expect(answer.headers).toMatchObject({ 'x-parlance-model': 'gpt', 'x-parlance-cost': '0.000014' });
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

    it("is guarded in Anthropic's format", async () => {
      under({}, { id: 'no-words', stage: 'output', action: 'block', detectors: ['words'], words: ['top secret'] });
      const who = world.caller();
      const body = {
        model: 'claude',
        max_tokens: 9,
        system: 'Mail jo@example.com',
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { name: 'eva@example.com', url: 'https://x' } }] },
          {
            role: 'user',
            content: [
              { type: 'document', source: { data: 'By jo@example.com.', media_type: 'text/plain', type: 'text' } },
              { type: 'document', source: { data: 'jo@example.com', media_type: 'application/pdf', type: 'base64' } },
            ],
          },
        ],
      };
      const content = [
        { type: 'text', text: 'To [EMAIL_2]' },
        { type: 'tool_use', id: 't', name: 'f', input: { name: '[EMAIL_1]' } },
      ];
      world.provider.respond = (res) => json(res, 200, { type: 'message', content, usage: { input_tokens: 1, output_tokens: 1 } });
      const { text } = await world.ask('/v1/messages', who.headers, body);
      expect(sent()).toBe(
        JSON.stringify({ ...body, model: 'claude-upstream' })
          .replace('Mail jo@example.com', 'Mail [EMAIL_1]')
          .replace('eva@example.com', '[EMAIL_2]')
          .replace('By jo@example.com', 'By [EMAIL_1]'),
      );
      expect(JSON.parse(text).content).toEqual([
        { type: 'text', text: 'To eva@example.com' },
        { type: 'tool_use', id: 't', name: 'f', input: { name: 'jo@example.com' } },
      ]);

      const delta = (index: number, its: object) => named({ type: 'content_block_delta', index, delta: its });
      const stop = (index: number) => named({ type: 'content_block_stop', index });
      const head = named({ type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } });
      const stream = (...parts: readonly string[]) => {
        const tail = named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } });
        world.provider.respond = (res) => {
          beginEvents(res);
          res.end(`${head}${parts.join('')}${tail}${named({ type: 'message_stop' })}`);
        };
        return world.ask('/v1/messages', who.headers, { ...body, stream: true });
      };
      const shown = await stream(
        delta(0, { type: 'text_delta', text: 'To [EMA' }),
        delta(0, { type: 'text_delta', text: 'IL_1], and top' }),
        stop(0),
        delta(1, { type: 'input_json_delta', partial_json: '{"to":"[EMAIL_' }),
        delta(1, { type: 'input_json_delta', partial_json: '1]"}' }),
        stop(1),
      );
      const deltas = shown.text.split('\n').filter((line) => line.startsWith('data: '));
      const read = (index: number) =>
        deltas
          .map((line) => JSON.parse(line.slice(6)))
          .flatMap((event) => (event.type === 'content_block_delta' && event.index === index ? [event.delta] : []))
          .map((its) => its.text ?? its.partial_json)
          .join('');
      expect([read(0), read(1)]).toEqual(['To jo@example.com, and top', '{"to":"jo@example.com"}']);
      expect(shown.text.startsWith(head)).toBe(true);
      // The end of the first block comes before its last event.
      expect(shown.text.indexOf(' top"')).toBeLessThan(shown.text.indexOf(stop(0)));
      expect(shown.text.endsWith(named({ type: 'message_stop' }))).toBe(true);

      const blocked = await stream(
        delta(0, { type: 'text_delta', text: 'It is top ' }),
        delta(0, { type: 'text_delta', text: 'secret!' }),
        stop(0),
      );
      expect(blocked.text).toContain('event: error\ndata: {"type":"error","error":{"type":"invalid_request_error"');
      expect(blocked.text).not.toMatch(/secret!|message_stop/);
    });

    it('is guarded in the format of Responses, whole and as a stream', async () => {
      under({}, { id: 'no-words', stage: 'output', action: 'block', detectors: ['words'], words: ['top secret'] });
      const who = world.caller();
      const body = { model: 'gpt', instructions: 'Never say top secret.', input: [{ role: 'user', content: 'Ask jo@example.com' }] };
      const item = (text: string) => ({ id: 'm', type: 'message', content: [{ type: 'output_text', text, annotations: [] }] });
      const response = (text: string) => ({
        object: 'response',
        instructions: body.instructions,
        output: [item(text)],
        usage: { input_tokens: 1, output_tokens: 1 },
      });
      const respond = (stream: boolean) => world.ask('/v1/responses', who.headers, { ...body, stream });

      world.provider.respond = (res) => json(res, 200, response('I ask [EMAIL_1].'));
      expect(JSON.parse((await respond(false)).text)).toEqual(response('I ask jo@example.com.'));
      expect(JSON.parse(world.provider.requests.at(-1)!.body).input).toEqual([{ role: 'user', content: 'Ask [EMAIL_1]' }]);

      const streamsText = (text: string) => {
        const at = { item_id: 'm', output_index: 0, content_index: 0 };
        const parts = text.match(/.{1,4}/gs)!.map((delta) => named({ type: 'response.output_text.delta', ...at, delta }));
        const ends = [
          named({ type: 'response.output_text.done', ...at, text }),
          named({ type: 'response.output_item.done', output_index: 0, item: item(text) }),
          named({ type: 'response.completed', response: response(text) }),
        ];
        world.provider.respond = (res) => {
          beginEvents(res);
          res.end([...parts, ...ends].join(''));
        };
      };
      const eventsIn = (text: string) =>
        text
          .split('\n')
          .flatMap((line) => (line.startsWith('data: ') ? (JSON.parse(line.slice(6)) as { type?: string; delta?: string }) : []));
      streamsText('I ask [EMAIL_1].');
      const shown = eventsIn((await respond(true)).text);
      expect(shown.map(({ delta = '' }) => delta).join('')).toBe('I ask jo@example.com.');
      expect(shown.at(-1)).toEqual({ type: 'response.completed', response: response('I ask jo@example.com.') });

      streamsText('It is top secret, see below.');
      const blocked = eventsIn((await respond(true)).text);
      expect(blocked.map(({ delta = '' }) => delta).join('')).toBe('It is ');
      expect(blocked.at(-1)).toMatchObject({ error: { code: 'guardrail_blocked' } });
      expect((await world.recordOf(who)).map(({ status }) => status)).toEqual(['completed', 'completed', 'blocked']);
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
