import type { Caller, CallerStatement } from '@parlance/http';
import type { RequestContext } from '@parlance/observability';

/** What a service learns about the caller of a request. `newId`: of the resource that the request creates. */
export function statementOf(
  caller: Caller | null,
  requestId: string,
  context: RequestContext | undefined,
  newId: string | undefined,
): CallerStatement {
  return {
    sub: caller?.userId ?? null,
    ...(caller?.email !== undefined && { email: caller.email }),
    groups: caller?.groups ?? [],
    sid: caller?.sessionId ?? null,
    ...(caller?.tokenId !== undefined && { tid: caller.tokenId }),
    kind: caller?.kind ?? 'anonymous',
    ...(caller?.api && { api: caller.api }),
    ip: context?.ip ?? null,
    ua: context?.userAgent ?? null,
    rid: requestId,
    cid: context?.correlationId ?? requestId,
    ...(newId !== undefined && { nid: newId }),
  };
}
