import { type Parlance, ParlanceError } from '@parlance/client';

/** The server has answered: what is wrong is its connection to the model. */
const ANSWERED = 502;

/** Has the server call the model once. Returns the latency in milliseconds, or throws the reason if the model does not answer. */
export async function checkModel({ api }: Pick<Parlance, 'api'>, modelId: string): Promise<number> {
  const { error, latency_ms } = await api.post('/admin/models/{modelId}/check', { path: { modelId } });
  if (error !== null) throw new ParlanceError(error.code, error.message, { status: ANSWERED });
  return latency_ms ?? 0;
}
