import { cachePath } from './cache.ts';
import { pythonWith } from './python.ts';

const RELEASE = '3.0.12';
const FOLDER = `kafka-python-${RELEASE}`;

export const kafkaPythonPath = () => cachePath(FOLDER);

/** A Python interpreter with the Kafka client of the example consumers. */
export const kafkaPython = (): Promise<string> => pythonWith(FOLDER, [`kafka-python==${RELEASE}`]);
