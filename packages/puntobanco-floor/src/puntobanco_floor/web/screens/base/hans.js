// Simplified Chinese, made of the Traditional text: a map of the characters that our texts use, and words of Singapore.

// `make docs` writes these: a Traditional character, and after it the Simplified one.
const PAIRS = "並并佈布併并來来個个們们備备傳传債债僅仅價价億亿優优儲储兌兑內内兩两別别刪删則则剛刚動动務务勝胜"
  + "勢势匯汇區区參参員员問问啟启單单嘗尝圍围圖图執执報报場场塊块塗涂壞坏壽寿夾夹娛娱實实審审寫写寬宽"
  + "將将專专尋寻對对屜屉屬属帳账帶带幣币幾几庫库廢废廳厅張张後后從从復复徹彻態态憑凭應应戲戏戶户捨舍"
  + "掃扫換换損损撥拨擇择擔担據据擬拟擱搁攜携敗败數数斷断於于時时暫暂書书會会東东枱桌條条棄弃業业構构"
  + "樂乐標标機机橫横檔档檢检檯台櫃柜權权氣气決决沒没況况淨净淺浅減减測测湊凑準准滿满瀏浏為为無无營营"
  + "爭争狀状獎奖獨独獲获現现環环產产畢毕畫画異异當当發发監监盤盘眾众確确碼码祿禄種种稱称積积筆笔節节"
  + "範范篩筛簽签籌筹紀纪約约紅红納纳純纯紙纸級级細细終终組组結结絕绝絡络給给統统綁绑經经維维網网緊紧"
  + "緒绪線线編编總总繼继續续義义聯联聲声職职腦脑與与舊旧莊庄萬万葉叶處处虛虚號号螢萤補补裝装製制複复"
  + "見见規规視视親亲覽览觀观觸触訂订計计訊讯記记訪访設设許许註注評评詢询試试詮诠話话該该詳详誌志認认"
  + "語语誠诚誤误說说誰谁調调請请論论諾诺證证議议讀读變变讓让負负責责貳贰買买費费貼贴資资賠赔賭赌贏赢"
  + "較较載载輕轻輸输轉转這这連连進进遊游運运過过達达適适選选遺遗還还邊边釋释銷销錄录錢钱錯错鍵键鎖锁"
  + "鏈链鐘钟鑰钥長长閉闭開开閒闲間间閱阅關关陸陆際际隨随險险隱隐雖虽雙双雜杂離离電电響响頁页項项須须"
  + "預预頓顿領领頭头頻频額额顏颜類类顯显風风餘余館馆驗验驚惊體体點点齊齐";

// Words that are others, and not only written otherwise. By hand; the longer goes before the shorter.
const WORDS = [
  ["伺服器", "服务器"], ["連結", "链接"], ["檔案", "文件"], ["列印", "打印"], ["登入", "登录"], ["螢幕", "屏幕"],
  ["畫面", "界面"], ["程式", "程序"], ["機率", "概率"], ["預設", "默认"], ["訊息", "信息"],
];

/** @type {Map<string, string>} */
const BECOMES = new Map(WORDS.map(([before, after]) => [before, after]));
const letters = [...PAIRS];
for (let i = 0; i < letters.length; i += 2) BECOMES.set(letters[i], letters[i + 1]);
const KNOWN = new RegExp([...BECOMES.keys()].join("|"), "g");

/** "賭枱 3 已關閉" -> "赌桌 3 已关闭"; what is no Traditional Chinese stays. @param {string} text */
export const simplified = (text) => text.replace(KNOWN, (found) => BECOMES.get(found) ?? found);
