import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import OpenAI from 'openai';
import type { CallsWorld } from './calls-world.ts';
import { beginEvents, json } from './mock-provider.ts';
import { ofAnthropic, weather } from './translated/streams.ts';

const question = { model: 'claude', max_tokens: 900, messages: [{ role: 'user' as const, content: 'Is it warm in Bern?' }] };
const tools = [{ name: 'weather', description: 'Today', input_schema: { ...weather, type: 'object' as const } }];
const whole = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-upstream',
  content: [{ type: 'text', text: 'Yes' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 4 },
};
const completion = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 4 },
};

export function sdkCalls(start: () => CallsWorld): void {
  describe('a program with an SDK in TypeScript', () => {
    let world: CallsWorld;
    let who: ReturnType<CallsWorld['caller']>;
    beforeEach(() => {
      world = start();
      world.forgetTargets();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, whole);
      who = world.caller();
    });
    const of = (timeout = 60_000) => {
      const { port } = world.service.server.address() as AddressInfo;
      const baseURL = `http://127.0.0.1:${port}`;
      const more = { apiKey: 'unused', defaultHeaders: { ...who.headers, connection: 'close' }, timeout };
      return { anthropic: new Anthropic({ ...more, baseURL }), openai: new OpenAI({ ...more, baseURL: `${baseURL}/v1` }) };
    };

    it('gets messages of Anthropic', async () => {
      const { content, usage } = await of().anthropic.messages.create(question);
      expect([content, usage]).toEqual([whole.content, whole.usage]);
    });
    it('gets streams of Anthropic with calls of tools', async () => {
      world.provider.respond = (res) => {
        beginEvents(res);
        res.end(ofAnthropic);
      };
      const { content, stop_reason } = await of()
        .anthropic.messages.stream({ ...question, tools })
        .finalMessage();
      expect([content.at(-1), stop_reason]).toMatchObject([{ type: 'tool_use', name: 'weather' }, 'tool_use']);
    });
    it('gets the number of tokens from Anthropic', async () => {
      world.provider.respond = (res) => json(res, 200, { input_tokens: 14 });
      const { max_tokens: _, ...counted } = question;
      expect(await of().anthropic.messages.countTokens({ ...counted, tools })).toEqual({ input_tokens: 14 });
    });
    it('gets refusals of Anthropic as errors', async () => {
      const refused = of().anthropic.messages.create({ ...question, model: 'none' });
      await expect(refused).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    });
    it.each(['anthropic', 'openai'] as const)('of %s waits for too short a time, repeats the request, and pays once', async (sdk) => {
      const answers: ServerResponse[] = [];
      world.provider.respond = (res) => answers.push(res);
      const { anthropic, openai } = of(400);
      const asked =
        sdk === 'anthropic'
          ? anthropic.messages.create(question).then(({ content }) => JSON.stringify(content))
          : openai.chat.completions
              .create({ model: 'one', messages: question.messages })
              .then(({ choices }) => choices[0]!.message.content);
      await waitFor(() => answers.length === 1, { what: 'the call' });
      // The first try is over after 400 ms. Tries follow after about half a second, and then a whole one.
      await new Promise((resolve) => setTimeout(resolve, 700));
      json(answers[0]!, 200, sdk === 'anthropic' ? whole : completion);
      expect(await asked).toContain('Yes');
      expect([answers.length, await world.recordOf(who)]).toMatchObject([1, [{ usage: { input_tokens: 10, output_tokens: 4 } }]]);
    });
  });
}
