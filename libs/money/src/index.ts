export { costOf, dollars, nanoDollars, nanoPerMillion } from './money.ts';
