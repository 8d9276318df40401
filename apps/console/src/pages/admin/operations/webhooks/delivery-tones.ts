export const DELIVERY_TONES = { pending: 'warn', delivered: 'ok', dead: 'bad' } as const;
