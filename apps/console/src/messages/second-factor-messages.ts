import { secondFactor } from './en/second-factor.ts';
import { groupOf, hookOf } from './index.ts';

/** Loaded with the first page or dialog for a second factor. */
export const useSecondFactorMessages = hookOf('secondFactor', secondFactor);
/** For code outside of components. */
export const secondFactorMessages = groupOf('secondFactor', secondFactor);
