import { buildGenerator, Workspace, type Yaml } from './testing/workspace.js';

const SURFACE = ['apps/api/src/decisions/decisions.controller.ts', 'apps/api/src/models/models.controller.ts'];
const DECIDE = 'openapi/schemas/decide.yaml';

interface Fields extends Yaml {
  properties: Yaml;
  required: string[];
}

const fields = (content: Yaml, name: string) => content[name] as Fields;

describe('a changed contract', () => {
  let workspace: Workspace;

  beforeAll(buildGenerator, 60_000);
  beforeEach(async () => {
    workspace = await Workspace.create();
  });
  afterEach(() => workspace.remove());

  const compiled = async (change?: (content: Yaml) => void): Promise<string> => {
    if (change) await workspace.edit(DECIDE, change);
    await workspace.generate();
    return workspace.compile(SURFACE);
  };

  it('compiles with the service as long as it is the same', async () => {
    expect(await compiled()).toBe('');
  }, 120_000);

  it('does not compile with the service when a response loses a required field', async () => {
    const output = await compiled((content) => {
      const response = fields(content, 'DecideResponse');
      delete response.properties['usage'];
      response.required = response.required.filter((name) => name !== 'usage');
      response['examples'] = [];
    });
    expect(output).toMatch(/usage/);
    expect(output).toMatch(/error TS/);
  }, 120_000);

  it('does not compile with the service when a request field is renamed', async () => {
    const output = await compiled((content) => {
      const request = fields(content, 'DecideRequest');
      request.properties['engine'] = request.properties['model'];
      delete request.properties['model'];
      request.required = ['engine', 'questions'];
    });
    expect(output).toMatch(/error TS2339: Property 'model' does not exist/);
  }, 120_000);
});
