import { expect } from 'chai';
import { QuestionReader } from '../../../../../src/htools/programs/shared/questions/question-reader.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';

describe('questions about what is not there', () => {
  const remedyFor = (list: 'instances' | 'nodes'): string | undefined => {
    const reader = new QuestionReader(smallCluster({ nodes: [{}, {}], instances: [] }));
    reader.find(list, 'nobody', '--why');
    return reader.problems[0]!.remedy;
  };

  it('are answered with a name that is', () =>
    expect(remedyFor('nodes')).to.match(/^give a name, such as \S+$/));

  it('name none where there is none', () =>
    expect(remedyFor('instances')).to.equal('ask about a cluster that has instances'));
});
