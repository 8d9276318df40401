import { PERIODS } from '@parlance/limits';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { maskedValue } from '@parlance/http';
import type { ApiKeyRow } from '../projections/api-keys.ts';
import type { PublicationRow } from '../projections/publications.ts';

const quota = z.object({
  limit: z.int().describe('Requests of one API key in each period.'),
  offset: z.int().describe('Subtracted from the limit in the first period.'),
  period: z.enum(PERIODS).describe('In UTC. A week starts on Monday.'),
});

const throttle = z.object({
  rate_limit: z.number().describe('Requests per second of one API key.'),
  burst_limit: z.int().describe('Requests of one API key at once.'),
});

/** Before the deployment succeeds, only the ID and the statuses have values. */
export const Publication = z.object({
  stage: z.string().nullable().describe('Last part of the endpoint.'),
  quota: quota.nullable(),
  throttle: throttle.nullable(),
  allowed_origins: z.array(z.string()).readonly().describe('Origins of web pages that may call the API. * is all.'),
  cfn_status: z.enum(['CREATE_IN_PROGRESS', 'CREATE_COMPLETE', 'ROLLBACK_COMPLETE', 'DELETE_IN_PROGRESS']),
  codebuild_id: z.string().describe('ID of the deployment.'),
  codebuild_status: z.enum(['IN_PROGRESS', 'SUCCEEDED', 'FAILED']),
  codebuild_status_reason: z.string().nullable().describe('Why the deployment has failed.'),
  endpoint: z.string().nullable().describe('Address of the published API; null before the deployment has succeeded.'),
  domain_endpoint: z.string().nullable().describe('The same endpoint below the configured publishedDomain; null without one.'),
  api_key_ids: z.array(z.string()).readonly(),
});
export type Publication = z.infer<typeof Publication>;

interface Addresses {
  readonly publicBaseUrl: string;
  readonly publishedDomain: string | null;
}

const STATUSES = {
  requested: ['IN_PROGRESS', 'CREATE_IN_PROGRESS'],
  deploying: ['IN_PROGRESS', 'CREATE_IN_PROGRESS'],
  given_up: ['IN_PROGRESS', 'CREATE_IN_PROGRESS'],
  rolling_back: ['IN_PROGRESS', 'CREATE_IN_PROGRESS'],
  failed: ['FAILED', 'ROLLBACK_COMPLETE'],
  succeeded: ['SUCCEEDED', 'CREATE_COMPLETE'],
  removing: ['SUCCEEDED', 'DELETE_IN_PROGRESS'],
} as const satisfies Record<PublicationRow['status'], unknown>;

export function publicationAnswer(row: PublicationRow, { publicBaseUrl, publishedDomain }: Addresses): Publication {
  const [codebuild_status, cfn_status] = STATUSES[row.status];
  const { api_id, stage } = row;
  const isThere = row.status === 'succeeded';
  return {
    stage: isThere ? stage : null,
    quota: isThere ? row.quota : null,
    throttle: isThere ? row.throttle : null,
    allowed_origins: isThere ? row.allowed_origins : [],
    cfn_status,
    codebuild_id: row.deployment_id,
    codebuild_status,
    codebuild_status_reason: row.reason,
    endpoint: isThere ? `${publicBaseUrl}/published/${api_id}/${stage}` : null,
    domain_endpoint: isThere && publishedDomain !== null ? `https://${api_id}.${publishedDomain}/${stage}` : null,
    api_key_ids: isThere ? row.api_key_ids : [],
  };
}

export const ApiKey = z.object({
  id: z.string(),
  description: z.string(),
  value: z.string().describe('The beginning and the end of the value. Only the answer to the creation has the complete value.'),
  enabled: z.boolean(),
  created_date: z.int().describe('Time in epoch seconds.'),
  expires_at: z.int().nullable().describe('Time in epoch seconds; null if the key does not expire.'),
  last_used_date: z.int().nullable().describe('Time of the last use in epoch seconds. It is recorded within ten seconds.'),
  allowed_ip_ranges: z.array(z.string()).readonly().describe('Addresses that may use the key. Empty: no limit of its own.'),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = ApiKey.extend({
  value: z.string().meta({ 'x-secret': true, description: 'The whole value. Only in this answer.' }),
});

nameSchemas({ Publication, ApiKey, CreatedApiKey });

export const apiKeyAnswer = (row: ApiKeyRow, description: string): ApiKey => ({
  id: row.id,
  description,
  value: maskedValue(row.id, row.ending),
  enabled: row.enabled,
  created_date: row.created_date,
  expires_at: row.expires_at,
  last_used_date: row.last_used_date,
  allowed_ip_ranges: row.allowed_ip_ranges,
});
