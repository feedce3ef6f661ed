import { AwsConfigCheck } from '@quarterdeck/contract/checks/aws-config'
import { AwsConfigRuleCheck } from '@quarterdeck/contract/checks/aws-config-rule'
import { CloudwatchCheck } from '@quarterdeck/contract/checks/cloudwatch'
import { record, records, word } from '../../../platform/kubernetes/object.ts'
import type { CheckKind, CheckRun } from '../kind.ts'
import { type AwsAccess, awsAccess, awsJson, awsQuery } from './aws.ts'
import { fillInQuery } from './credentials.ts'
import { readXml } from '../../../platform/clients/xml.ts'

const members = (value: unknown): Record<string, unknown>[] => records(record(value).member)

/** No metric or composite alarm may be in state ALARM. */
export const cloudwatch: CheckKind<CloudwatchCheck> = {
  key: 'cloudwatch',
  schema: CloudwatchCheck,
  templatable: true,
  endpoint: (spec) => [spec.region, spec.actionPrefix, spec.alarmPrefix].filter(Boolean).join('-'),
  async run(run, spec) {
    const access = await awsAccess(run, spec)
    const parameters: Record<string, string> = { Action: 'DescribeAlarms', Version: '2010-08-01', MaxRecords: '100' }
    parameters['AlarmTypes.member.1'] = 'MetricAlarm'
    parameters['AlarmTypes.member.2'] = 'CompositeAlarm'
    if (spec.actionPrefix) parameters.ActionPrefix = spec.actionPrefix
    if (spec.alarmPrefix) parameters.AlarmNamePrefix = spec.alarmPrefix
    if (spec.state) parameters.StateValue = spec.state
    for (const [index, name] of (spec.alarms ?? []).entries()) parameters[`AlarmNames.member.${index + 1}`] = name
    const answer = readXml(await awsQuery(run, access, 'monitoring', parameters), ['member'])
    const result = record(record(answer.DescribeAlarmsResponse).DescribeAlarmsResult)
    const found = { MetricAlarms: members(result.MetricAlarms), CompositeAlarms: members(result.CompositeAlarms) }
    const alarms = [...found.MetricAlarms, ...found.CompositeAlarms]
    const firing = alarms.filter((alarm) => alarm.StateValue === 'ALARM').map((alarm) => word(alarm.AlarmName))
    const errors = firing.length > 0 ? [`in state ALARM: ${firing.join(', ')}`] : []
    return { pass: firing.length === 0, errors, detail: found, message: `${alarms.length} alarms` }
  },
}

const call = (run: CheckRun, access: AwsAccess, action: string, input: object) =>
  awsJson(run, access, { service: 'config', target: `StarlingDoveService.${action}`, input })

/** Runs a query over recorded configurations; the verdict is the test's. */
export const awsConfig: CheckKind<AwsConfigCheck> = {
  key: 'awsConfig',
  type: 'awsconfig',
  schema: AwsConfigCheck,
  templatable: true,
  endpoint: (spec) => spec.query,
  async run(run, spec) {
    const access = await awsAccess(run, spec)
    const Expression = await fillInQuery(run, spec.query)
    const aggregator = spec.aggregatorName
    const rows: unknown[] = []
    let token: string | undefined
    do {
      const input = { Expression, Limit: 100, ...(token ? { NextToken: token } : {}) }
      const answer = aggregator
        ? await call(run, access, 'SelectAggregateResourceConfig', {
            ...input,
            ConfigurationAggregatorName: aggregator,
          })
        : await call(run, access, 'SelectResourceConfig', input)
      for (const row of Array.isArray(answer.Results) ? answer.Results : []) rows.push(JSON.parse(String(row)))
      token = word(answer.NextToken) || undefined
    } while (token && rows.length < 1000)
    return { pass: true, detail: rows, message: `${rows.length} results` }
  },
}

/** No rule that counts may be non-compliant. */
export const awsConfigRule: CheckKind<AwsConfigRuleCheck> = {
  key: 'awsConfigRule',
  type: 'awsconfigrule',
  schema: AwsConfigRuleCheck,
  templatable: true,
  endpoint: (spec) => (spec.rules ?? []).join(',') || spec.name,
  timeoutMs: () => 60_000,
  async run(run, spec) {
    const access = await awsAccess(run, spec)
    const compliance = await complianceOf(run, access, spec)
    const ignored = new Set(spec.ignoreRules ?? [])
    const bad = compliance.filter(({ name, type }) => type === 'NON_COMPLIANT' && !ignored.has(name))
    const described =
      bad.length > 0
        ? await descriptions(
            run,
            access,
            bad.map(({ name }) => name),
          )
        : new Map<string, string>()
    const rules = await Promise.all(
      bad.map(async ({ name, type }) => {
        const resources = await resourcesOf(run, access, name)
        const annotation = resources.find((each) => each.annotation)?.annotation ?? ''
        return { rule: name, description: described.get(name) ?? '', annotation, type, resources }
      }),
    )
    const errors = bad.length > 0 && !spec.test ? [`not compliant: ${bad.map(({ name }) => name).join(', ')}`] : []
    return {
      pass: errors.length === 0,
      errors,
      detail: { rules },
      message: `${compliance.length} rules, ${bad.length} not compliant`,
    }
  },
}

async function complianceOf(run: CheckRun, access: AwsAccess, spec: AwsConfigRuleCheck) {
  const found: { name: string; type: string }[] = []
  let token: string | undefined
  do {
    const answer = await call(run, access, 'DescribeComplianceByConfigRule', {
      ...(spec.rules?.length ? { ConfigRuleNames: spec.rules } : {}),
      // What has too little data, or is not applicable, says nothing.
      ComplianceTypes: spec.complianceTypes?.length ? spec.complianceTypes : ['NON_COMPLIANT', 'COMPLIANT'],
      ...(token ? { NextToken: token } : {}),
    })
    for (const each of records(answer.ComplianceByConfigRules))
      found.push({ name: word(each.ConfigRuleName), type: word(record(each.Compliance).ComplianceType) })
    token = word(answer.NextToken) || undefined
  } while (token && found.length < 1000)
  return found
}

async function descriptions(run: CheckRun, access: AwsAccess, names: string[]): Promise<Map<string, string>> {
  const answer = await call(run, access, 'DescribeConfigRules', { ConfigRuleNames: names.slice(0, 25) })
  return new Map(records(answer.ConfigRules).map((rule) => [word(rule.ConfigRuleName), word(rule.Description)]))
}

async function resourcesOf(run: CheckRun, access: AwsAccess, rule: string) {
  const answer = await call(run, access, 'GetComplianceDetailsByConfigRule', {
    ConfigRuleName: rule,
    ComplianceTypes: ['NON_COMPLIANT'],
    Limit: 100,
  })
  return records(answer.EvaluationResults).map((each) => {
    const qualifier = record(record(each.EvaluationResultIdentifier).EvaluationResultQualifier)
    const recorded =
      typeof each.ResultRecordedTime === 'number' ? new Date(each.ResultRecordedTime * 1000).toISOString() : ''
    return {
      id: word(qualifier.ResourceId),
      annotation: word(each.Annotation),
      type: word(qualifier.ResourceType),
      recorded,
      mode: word(qualifier.EvaluationMode),
    }
  })
}
