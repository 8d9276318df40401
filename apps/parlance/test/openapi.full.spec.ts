import { getsNoUnforeseenAnswer } from './schemathesis.ts';

getsNoUnforeseenAnswer('fuzzing');
