import { readFile, stat } from 'node:fs/promises';
import { NotDone } from '../../not-done.ts';
import { namedModel } from '../mapping/provider-table.ts';
import type { Deployment } from './config-file.ts';
import { type Fields, isMap, mapOf, textOf } from './fields.ts';

const LARGEST_FILE = 64 * 1024 * 1024;

/** LiteLLM's list of prices and limits, `model_prices_and_context_window.json`. Throws `NotDone`. */
export async function readPriceList(path: string): Promise<Fields> {
  const { size } = await stat(path).catch(() => {
    throw new NotDone(`--prices: there is no file ${path}`);
  });
  if (size > LARGEST_FILE) throw new NotDone(`--prices: ${path} has more than ${LARGEST_FILE} bytes`);
  try {
    const list = JSON.parse(await readFile(path, 'utf8')) as unknown;
    if (isMap(list)) return list;
  } catch {
    // The message of the parser adds nothing.
  }
  throw new NotDone(`--prices: ${path} must be model_prices_and_context_window.json of LiteLLM`);
}

/** The deployment with what the list knows of its model. What the configuration says has precedence. */
export function priced(deployment: Deployment, list: Fields): Deployment {
  const { params, info } = deployment;
  const model = textOf(params['model']) ?? '';
  const names = [textOf(info['base_model']), model, namedModel(model, textOf(params['custom_llm_provider']))?.model];
  const name = names.find((each) => each != null && Object.hasOwn(list, each));
  return name == null ? deployment : { ...deployment, info: { ...mapOf(list[name]), ...info } };
}
