import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const named = (event: { readonly type: string; readonly [field: string]: unknown }): string => `event: ${event.type}\n${events(event)}`;

/** A form with ten seconds of audio in WAV, all of whose bytes are ASCII. */
async function formOf(fields: Readonly<Record<string, string>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  // 0x00004000 bytes in a second.
  const head = `RIFF----WAVE${'-'.repeat(16)}\0\x40\0\0`;
  form.set('file', new Blob([head.padEnd(10 * 0x4000, 'x')], { type: 'audio/wav' }), 'a.wav');
  const sent = new Response(form);
  return { body: Buffer.from(await sent.arrayBuffer()), type: sent.headers.get('content-type')! };
}

export function transcriptionCalls(start: () => CallsWorld): void {
  describe('a call that writes down what is spoken', () => {
    let world: CallsWorld;
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
    });

    const transcribe = async (headers: Record<string, string>, fields: Readonly<Record<string, string>> = {}) => {
      const { body, type } = await formOf({ model: 'ear', ...fields });
      const answer = await world.ask('/v1/audio/transcriptions', { ...headers, 'content-type': type }, body);
      return { ...answer, sent: body.toString(), type };
    };

    it.each([
      ['tokens', { usage: { type: 'tokens', input_tokens: 100, output_tokens: 12 } }, [100, 12]],
      ['its duration, of which a second has ten tokens', { usage: { type: 'duration', seconds: 9.5 } }, [95, 0]],
      ['the duration of the audio', { duration: '9.5', segments: [] }, [95, 0]],
    ])('reaches the provider as it is, but for the model, and is charged by %s', async (_, report, [input, output]) => {
      const who = world.caller();
      world.provider.respond = (res) => json(res, 200, { text: 'Hello.', ...report });
      const { status, text, sent, type } = await transcribe(who.headers, { language: 'en' });
      expect([status, JSON.parse(text)]).toEqual([200, { text: 'Hello.', ...report }]);
      const [request] = world.provider.requests;
      expect([request?.path, request?.headers['content-type']]).toEqual(['/v1/audio/transcriptions', type]);
      expect(request?.body === sent.replace('\r\near\r\n', '\r\near-upstream\r\n')).toBe(true);
      expect(await world.recordOf(who)).toMatchObject([
        { endpoint: 'audio/transcriptions', usage: { input_tokens: input, output_tokens: output, estimated: false } },
      ]);
    });
    it('is counted by its text if there is no report', async () => {
      const who = world.caller();
      const spoken = 'One two three. '.repeat(20);
      world.provider.respond = (res) => res.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(spoken);
      const { text, headers } = await transcribe(who.headers, { response_format: 'text' });
      expect([text, headers['content-type']]).toEqual([spoken, 'text/plain; charset=utf-8']);
      const [record] = await world.recordOf(who);
      // 300 characters are twenty seconds.
      expect(record).toMatchObject({ status: 'completed', usage: { input_tokens: 200, estimated: true } });
      expect(record?.usage.output_tokens).toBeGreaterThan(60);
    });
    it('may be streamed, and is recorded before the last event', async () => {
      const who = world.caller();
      const done = named({ type: 'transcript.text.done', text: 'Hello.', usage: { type: 'tokens', input_tokens: 100, output_tokens: 12 } });
      const stream = named({ type: 'transcript.text.delta', delta: 'Hello.' }) + done;
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(stream);
      };
      expect((await transcribe(who.headers, { stream: 'true' })).text).toBe(stream);
      expect(await world.recordOf(who)).toMatchObject([{ usage: { input_tokens: 100, output_tokens: 12, estimated: false } }]);
    });
    it('reserves what the audio can have, by its length', async () => {
      const who = world.caller();
      world.provider.respond = (res) => void res.destroy();
      expect(errorOf(await transcribe(who.headers))).toEqual([503, 'recorded_not_visible']);
      const [record] = await world.recordOf(who);
      // Ten seconds, and what a provider may add.
      expect(record).toMatchObject({ status: 'unsettled', usage: { input_tokens: 300, output_tokens: 100, estimated: true } });
    });
    it('is refused for a model of another kind, without a model, and in JSON', async () => {
      const { headers } = world.caller();
      expect(errorOf(await transcribe(headers, { model: 'voice' }))).toEqual([400, 'unsupported_parameter']);
      expect(errorOf(await transcribe(headers, { model: '' }))).toEqual([400, 'invalid_body']);
      expect(errorOf(await world.ask('/v1/audio/transcriptions', headers, { model: 'ear' }))).toEqual([400, 'malformed_body']);
      expect(world.provider.requests).toEqual([]);
    });
  });
}
