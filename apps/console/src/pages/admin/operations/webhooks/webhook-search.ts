import { choiceParam, textParam } from '../../../../app/search-params.ts';

const STATUSES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

interface WebhookSearch {
  status?: DeliveryStatus | undefined;
  token?: string | undefined;
}

export const webhookSearch = (raw: Record<string, unknown>): WebhookSearch => ({
  status: choiceParam(raw['status'], STATUSES),
  token: textParam(raw['token']),
});
