export { costOf, dollars, HIGHEST_CHARGE, nanoDollars, nanoPerMillion } from './money.ts';
