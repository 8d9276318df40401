import { type Parlance, ParlanceError } from '@parlance/client';

/** Lets the server call the model once. Returns the milliseconds of its answer; throws the reason if it does not answer. */
export async function checkModel({ api }: Pick<Parlance, 'api'>, modelId: string): Promise<number> {
  const { error, latency_ms } = await api.post('/admin/models/{modelId}/check', { path: { modelId } });
  if (error !== null) throw new ParlanceError(error.code, error.message);
  return latency_ms ?? 0;
}
