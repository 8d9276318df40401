import { getsNoUnforeseenAnswer } from './schemathesis.ts';

getsNoUnforeseenAnswer('examples,coverage,fuzzing');
