import { SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RefusedAction } from '../foundation/refusals.ts';
import { problemOf } from './problem.ts';

export const AUDITED = 'parlance:audited';

/** What a route does, in the words of the audit log. */
export interface AuditedAction {
  readonly action: string;
  readonly resourceType: string;
  /** The path parameter that holds the resource's id. */
  readonly from?: string;
}

/**
 * For a route that changes something, or shows what is somebody else's: when it refuses (403, 409), that is on record
 * before it is answered. What it does is told by the service's own events.
 */
export const Audited = (action: string, resourceType: string, from?: string): MethodDecorator =>
  SetMetadata(AUDITED, { action, resourceType, ...(from === undefined ? {} : { from }) } satisfies AuditedAction);

/** What of a failed request belongs in the audit log; null for most. */
export function refusedActionOf(request: FastifyRequest, error: unknown): RefusedAction | null {
  const audited = request.routeOptions.config.policy?.audited;
  if (audited === undefined) return null;
  const { status, body } = problemOf(error);
  if (status !== 403 && status !== 409) return null;
  const { action, resourceType, from } = audited;
  const { code, message } = body;
  return { action, resourceType, resourceId: from === undefined ? null : idIn(request.params, from), code, message };
}

// oxlint-disable-next-line no-control-regex
const ID = /^[^\u0000-\u001f\u007f-\u009f]{1,128}$/;

/** Refused before any rule has looked at it, a parameter may be anything: what can't be an id is not kept for one. */
export function idIn(params: unknown, name: string): string | null {
  const value = (params as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && ID.test(value) ? value : null;
}
