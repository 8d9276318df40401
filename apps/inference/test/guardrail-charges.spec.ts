import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

const botId = '01K0000000000000000000000B';

describe('a guardrail of Amazon Bedrock', () => {
  let service: ServiceUnderTest;
  const bots = new BotsService();
  let answer: object | number = {};
  const bedrock = createServer((call, response) => {
    void text(call).then(() => {
      if (typeof answer === 'number') response.writeHead(answer).end('{}');
      else response.end(JSON.stringify(answer));
    });
  });

  /** The public events of a reply, and its state. */
  const ask = async () => {
    const message = { model: 'local-extractive', content: [{ content_type: 'text', body: 'How long does a refund take?' }] };
    const { body } = await request(service.server)
      .post('/conversation')
      .set({ ...service.as('ann'), prefer: 'wait=10' })
      .send({ bot_id: botId, message });
    const { events } = await service.host.published.of('inference').then((log) => log!.after(0));
    const published = events as readonly { type: string; data: Record<string, unknown> }[];
    return published.filter(({ data }) => data['conversation_id'] === body.conversation_id).map(({ type, data }) => ({ type, data }));
  };
  const usage = { contentPolicyUnits: 2, contextualGroundingPolicyUnits: 3, wordPolicyUnits: 9 };

  beforeAll(async () => {
    await new Promise<void>((resolve) => void bedrock.listen(0, '127.0.0.1', resolve));
    const base_url = `http://127.0.0.1:${(bedrock.address() as AddressInfo).port}`;
    const prices = [
      { from: '2020-01-01T00:00:00Z', content: 0.15, contextual_grounding: 0.1 },
      { from: '2090-01-01T00:00:00Z', content: 9 },
    ];
    const providers = { aws: { type: 'bedrock', region: 'eu-west-1', api_key: 'k', base_url } };
    service = await serviceUnderTest(inference, {
      PARLANCE_MODELS: JSON.stringify({ extends: 'builtin', providers, guardrails: { prices } }),
    });
    await bots.enter(service);
    bots.chunks = [{ content: 'A refund takes fourteen days.', source_id: 'refunds' }];
    bots.settings = {
      bedrock_guardrails: {
        is_guardrail_enabled: true,
        guardrail_arn: 'arn:aws:bedrock:eu-west-1:123456789012:guardrail/abc123',
        guardrail_version: '1',
        grounding_threshold: 0,
        relevance_threshold: 0,
      },
    };
  });
  afterAll(async () => {
    await service.stop();
    bedrock.closeAllConnections();
    bedrock.close();
  });

  it('is charged in text units, before the reply ends', async () => {
    answer = { action: 'NONE', outputs: [], assessments: [], usage };
    const [, charge, end] = await ask();
    expect([charge!.type, end!.type]).toEqual(['parlance.inference.tokens-charged.v1', 'parlance.inference.reply-completed.v1']);
    expect(charge!.data).toMatchObject({
      purpose: 'guardrail',
      user_id: 'ann',
      bot_id: botId,
      model: 'amazon-bedrock-guardrails',
      usage: { input_tokens: 0, output_tokens: 0, estimated: false },
      units: 5,
      cost_nano_dollars: 600_000,
    });
  });
  it('is charged once if the answer was blocked', async () => {
    answer = { action: 'GUARDRAIL_INTERVENED', outputs: [{ text: 'No.' }], assessments: [], usage };
    expect((await ask()).filter(({ data }) => data['purpose'] === 'guardrail')).toHaveLength(1);
  });
  it('is not charged if it returns no verdict, or only free units', async () => {
    answer = 403;
    expect((await ask()).map(({ type }) => type)).toEqual([
      'parlance.inference.message-submitted.v1',
      'parlance.inference.tokens-charged.v1',
      'parlance.inference.reply-failed.v1',
    ]);
    answer = { action: 'NONE', outputs: [], assessments: [], usage: { wordPolicyUnits: 9 } };
    expect((await ask()).filter(({ data }) => data['purpose'] === 'guardrail')).toEqual([]);
  });
});
