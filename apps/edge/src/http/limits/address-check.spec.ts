import { describe, expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import type { AuditRecorder } from '@parlance/http';
import fastify from 'fastify';
import { AnswerHeaders } from '../answers/answer-headers.ts';
import { AddressCheck } from './address-check.ts';
import { RefusalAudit } from '../routing/refusal-audit.ts';
import { PublishedApis } from '../routing/published-apis.ts';
import { RequestLimits } from './request-limits.ts';

async function asked(record: AuditRecorder['record'], path: string): Promise<string> {
  const config: Config = Object.assign(new Config(), { allowedIpV4AddressRanges: ['192.0.2.0/24'] });
  const published = new PublishedApis(config);
  const instance = fastify();
  instance.setErrorHandler((error: Error, _, reply) => reply.send(error.message));
  const refusals = new RefusalAudit({ record } as AuditRecorder);
  new AddressCheck(config, published, new AnswerHeaders(config, published), new RequestLimits(config), refusals).install(instance);
  return (await instance.inject(path)).body;
}

describe('the refusal of an address', () => {
  it('is recorded before the answer is sent', async () => {
    const calls: string[] = [];
    const record: AuditRecorder['record'] = async ({ code, action }) => {
      await new Promise(setImmediate);
      calls.push(`${code} ${action}`);
    };
    expect(await asked(record, '/bot')).toBe('Requests from this address are not allowed.');
    expect(calls).toEqual(['address_not_allowed reach_service']);
  });

  it('is not sent if it cannot be recorded, and the request is not admitted either', async () => {
    expect(await asked(() => Promise.reject(new Error('the disk is full')), '/bot')).toBe('the disk is full');
  });
});
