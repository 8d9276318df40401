import { readFile, stat } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { NotDone } from '../../not-done.ts';
import { type Fields, isMap, listOf, mapOf, textOf } from './fields.ts';

/** One entry of `model_list`. */
export interface Deployment {
  /** The position in `model_list`, from 1. */
  readonly position: number;
  readonly modelName: string;
  readonly params: Fields;
  readonly info: Fields;
}

export interface LiteLlmConfig {
  readonly deployments: readonly Deployment[];
  /** Positions of entries of `model_list` that have no `model_name` or no `litellm_params.model`. */
  readonly unreadable: readonly number[];
  readonly router: Fields;
  readonly settings: Fields;
  /** `environment_variables`: LiteLLM reads `os.environ/NAME` from here too. */
  readonly variables: Fields;
  /** The names of all other parts of the file. */
  readonly others: readonly string[];
}

const LARGEST_FILE = 8 * 1024 * 1024;
const READ = ['model_list', 'router_settings', 'litellm_settings', 'environment_variables', 'credential_list'];

/** Throws `NotDone`. */
export async function readConfigFile(path: string): Promise<LiteLlmConfig> {
  const { size } = await stat(path).catch(() => {
    throw new NotDone(`there is no file ${path}`);
  });
  if (size > LARGEST_FILE) throw new NotDone(`${path} has more than ${LARGEST_FILE} bytes`);
  return configIn(await readFile(path, 'utf8'), path);
}

/** Throws `NotDone`. */
export function configIn(text: string, path = 'config.yaml'): LiteLlmConfig {
  const whole = parsed(text, path);
  if (!isMap(whole)) throw new NotDone(`${path} is not a configuration of LiteLLM: it must be a map with model_list`);
  if (whole['model_list'] !== undefined && !Array.isArray(whole['model_list'])) throw new NotDone(`${path}: model_list must be a list`);
  const credentials = new Map(
    listOf(whole['credential_list']).map((each) => [textOf(mapOf(each)['credential_name']), mapOf(mapOf(each)['credential_values'])]),
  );
  const unreadable: number[] = [];
  const deployments = listOf(whole['model_list']).flatMap((raw, index): Deployment[] => {
    const { model_name, litellm_params, model_info } = mapOf(raw);
    const [modelName, given] = [textOf(model_name), mapOf(litellm_params)];
    if (modelName === null || typeof given['model'] !== 'string' || given['model'] === '') {
      unreadable.push(index + 1);
      return [];
    }
    const { litellm_credential_name: credential, ...own } = given;
    const params = { ...credentials.get(textOf(credential)), ...own };
    return [{ position: index + 1, modelName, params, info: mapOf(model_info) }];
  });
  return {
    deployments,
    unreadable,
    router: mapOf(whole['router_settings']),
    settings: mapOf(whole['litellm_settings']),
    variables: mapOf(whole['environment_variables']),
    others: Object.keys(whole).filter((name) => !READ.includes(name)),
  };
}

function parsed(text: string, path: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  // The whole message quotes lines of the file, which may contain keys.
  if (error) throw new NotDone(`${path} is not valid YAML: line ${error.linePos?.[0].line ?? 1}, ${error.code}`);
  try {
    return document.toJS({ maxAliasCount: 1_000 });
  } catch {
    throw new NotDone(`${path} cannot be read: its anchors refer to too much, or to nothing`);
  }
}
