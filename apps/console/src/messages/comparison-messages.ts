import { comparison } from './en/chat/comparison.ts';
import { hookOf } from './index.ts';

/** Loaded with the first comparison of models. */
export const useComparisonMessages = hookOf('comparison', comparison);
