import { locale } from '../../messages/locale.ts';

/** A duration, such as "14 ms" or "1.2 sec". */
export const formatMillis = (millis: number): string =>
  new Intl.NumberFormat(locale(), {
    style: 'unit',
    unitDisplay: 'short',
    ...(millis < 1_000 ? { unit: 'millisecond', maximumFractionDigits: 0 } : { unit: 'second', maximumFractionDigits: 1 }),
  }).format(millis < 1_000 ? millis : millis / 1_000);
