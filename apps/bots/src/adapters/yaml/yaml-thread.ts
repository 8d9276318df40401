// Node runs this source without compiling it in tests: only `node:` imports, files of this folder that keep to the same, and erasable types.
import { parentPort, workerData } from 'node:worker_threads';
import { jsonOfYaml } from './yaml-json.ts';

parentPort!.postMessage(jsonOfYaml((workerData as { text: string }).text));
