import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CallsWorld } from '../calls-world.ts';
import { beginEvents, json } from '../mock-provider.ts';
import { guarding, named } from './guarding.ts';

export function guardedFormats(start: () => CallsWorld): void {
  describe('a call of a model in another format under policies', () => {
    let world: CallsWorld;
    beforeEach(() => void (world = start()));
    const { under, sent } = guarding(start);

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
  });
}
