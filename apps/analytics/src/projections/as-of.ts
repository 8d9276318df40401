import { z } from 'zod';

/** The newest event that a read model includes: its position in its source's log, and its time. */
export const AsOf = z.object({ position: z.int(), time: z.string().meta({ format: 'date-time' }) });
export type AsOf = z.infer<typeof AsOf>;
