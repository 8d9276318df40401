import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import OpenAI from 'openai';
import type { Story } from './people-story.ts';

const model = 'local-extractive';

/** Calls a published bot with the official clients of other standards, in every shape of the product. */
export function otherClientsStory(story: () => Story): void {
  const asAdmin = (method: string, path: string, body?: unknown) =>
    story().ask(method, path, body, { authorization: `Bearer ${story().adminToken}` });

  describe('a published bot, for the official clients of OpenAI and MCP', () => {
    let botId: string;
    let keyId: string;
    let key: string;
    /** The path of the address of the bot. */
    let address: string;
    const openai = (url = story().product.urls[0]!) => new OpenAI({ apiKey: key, baseURL: `${url}${address}/v1`, maxRetries: 0 });
    const ask = (client: OpenAI) => client.chat.completions.create({ model, messages: [{ role: 'user', content: 'What can you do?' }] });

    beforeAll(async () => {
      botId = (await asAdmin('POST', '/bot', { title: 'Guide' })).body.id as string;
      await asAdmin('PATCH', `/bot/${botId}/visibility`, { target_shared_scope: 'all' });
      await asAdmin('POST', `/bot/${botId}/publication`, { allowed_origins: ['*'] });
      const publication = () => asAdmin('GET', `/bot/${botId}/publication`);
      await waitFor(async () => (await publication()).body.codebuild_status === 'SUCCEEDED', { what: 'the deployment' });
      address = new URL((await publication()).body.endpoint as string).pathname;
      ({ id: keyId, value: key } = (await asAdmin('POST', `/bot/${botId}/publication/api-key`, { description: 'Shop' })).body);
    });

    it('answers chat completions at every edge, complete and streamed', async () => {
      for (const url of story().product.urls) {
        const client = openai(url);
        expect((await client.models.list()).data.map(({ id }) => id)).toContain(model);
        const completion = await ask(client);
        expect(completion.choices[0]).toMatchObject({
          finish_reason: 'stop',
          message: { role: 'assistant', content: expect.stringMatching(/\w/) },
        });
        expect(completion.usage!.total_tokens).toBeGreaterThan(0);
        let text = '';
        const stream = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'And now?' }], stream: true });
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
        expect(text).toBe(completion.choices[0]!.message.content);
      }
    });

    it('continues after a response, at any edge', async () => {
      const urls = story().product.urls;
      const first = await openai(urls[0]).responses.create({ model, input: 'My name is Ann.' });
      const stream = openai(urls.at(-1)).responses.stream({ model, input: 'And yours?', previous_response_id: first.id });
      const second = await stream.finalResponse();
      expect([first.status, second.status, second.previous_response_id]).toEqual(['completed', 'completed', first.id]);
      expect((await openai(urls[0]).responses.retrieve(second.id)).output_text).toBe(second.output_text);
    });

    it('is a server of the Model Context Protocol', async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      const url = new URL(`${story().product.urls[0]}${address}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-api-key': key } } }));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['ask', 'search_knowledge']);
      const answer = await client.callTool({ name: 'ask', arguments: { question: 'What can you do?' } });
      expect(answer.structuredContent).toMatchObject({ answer: expect.stringMatching(/\w/), conversation_id: expect.any(String) });
      await client.close();
    });

    it('does not add conversations to its owner', async () => {
      const conversations = (await asAdmin('GET', '/conversations')).body.conversations as { bot_id: string | null }[];
      expect(conversations.filter(({ bot_id }) => bot_id === botId)).toEqual([]);
    });

    it('refuses a key in the form of OpenAI as soon as it is deleted', async () => {
      expect((await asAdmin('DELETE', `/bot/${botId}/publication/api-key/${keyId}`)).status).toBe(204);
      for (const url of story().product.urls)
        await expect(ask(openai(url))).rejects.toMatchObject({ status: 401, type: 'authentication_error', code: 'invalid_api_key' });
    });
  });
}
