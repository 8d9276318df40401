// Node runs this source without compiling it in tests: it imports only `node:` modules and files of this folder under the same rule, and
// uses only erasable types.
import { parentPort, workerData } from 'node:worker_threads';
import { jsonOfYaml } from './yaml-json.ts';

parentPort!.postMessage(jsonOfYaml((workerData as { text: string }).text));
