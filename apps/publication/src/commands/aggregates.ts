import { aggregate } from '../bus.ts';
import { keyUse, keyUseStream } from '../domain/key-use.ts';
import { apiQuota, apiQuotaStream } from '../domain/api-quota.ts';
import { publication, publicationStream } from '../domain/publication.ts';

export const ExecutePublication = aggregate('ExecutePublication', publication, publicationStream);
export const ExecuteKeyUse = aggregate('ExecuteKeyUse', keyUse, keyUseStream);
export const ExecuteApiQuota = aggregate('ExecuteApiQuota', apiQuota, apiQuotaStream);
