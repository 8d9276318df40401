export { costOf, dollars, nanoPerMillion } from './money.ts';
