export { CheckedText, checkText, slicesOf, Verdicts } from './checked-text.ts';
export type { Kind } from './detector.ts';
export { DETECTOR_NAMES, type DetectorName } from './detectors/all.ts';
export { isPhoneRegion } from './detectors/phone.ts';
export { LONGEST_ENTRY } from './detectors/word-list.ts';
export { Masking, type Unmasker } from './masking.ts';
export {
  type Action,
  ACTIONS,
  Guardrails,
  type Policy,
  type PolicyVerdict,
  type Stage,
  STAGES,
  StageChecks,
  type Surface,
  SURFACES,
} from './policies.ts';
