import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  documentKinds,
  documentSchema,
  kindDefinition,
  registerKind,
  registerSchemaFile,
  schemaFileNames,
  schemaOfFile,
} from './documents.ts'

test('every file name an editor of this API asks for has a schema', () => {
  const asked = [
    'canary.spec.schema.json',
    'topology.spec.schema.json',
    'config_scraper.spec.schema.json',
    'scrape_config.spec.schema.json',
    'playbook-spec.schema.json',
    'config_kubernetes.schema.json',
    'config_azure.schema.json',
    'config_kubernetesfile.schema.json',
    'config_sql.schema.json',
    'config_trivy.schema.json',
    'config_aws.schema.json',
    'config_file.schema.json',
    'config_githubactions.schema.json',
    'config_azuredevops.schema.json',
  ]
  expect(asked.filter((file) => !schemaOfFile(file))).toEqual([])
  expect(asked.filter((file) => !schemaFileNames().includes(file))).toEqual([])
  expect(schemaOfFile('../../etc/passwd')).toBeUndefined()
})

test('all of them can be written as JSON Schema', () => {
  for (const file of schemaFileNames()) {
    const made = z.toJSONSchema(schemaOfFile(file)!.schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' })
    expect(made.type ?? made.anyOf ?? made.allOf, file).toBeDefined()
  }
})

test('an area replaces the rules of its kind and adds schemas', () => {
  const before = kindDefinition('Team').spec
  registerKind('Team', { spec: z.strictObject({ color: z.string() }) })
  expect(
    documentSchema('Team').safeParse({
      apiVersion: 'mission-control.flanksource.com/v1',
      kind: 'Team',
      metadata: { name: 'a' },
      spec: { color: 'blue' },
    }).success,
  ).toBe(true)
  expect(schemaOfFile('team.spec.schema.json')?.schema.safeParse({}).success).toBe(false)
  registerKind('Team', { spec: before })
  registerSchemaFile('config_x.schema.json', z.object({}))
  expect(schemaFileNames()).toContain('config_x.schema.json')
})

test('there is a definition for every kind', () => {
  for (const kind of documentKinds) expect(kindDefinition(kind).description).toMatch(/\.$/)
})
