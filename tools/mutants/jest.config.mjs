import config from '../../jest.config.js';

const [[pattern, [, options]]] = Object.entries(config.transform);

export default { ...config, reporters: [], transform: { [pattern]: ['<rootDir>/../../tools/mutants/transform.mjs', options] } };
